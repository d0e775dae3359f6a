/** A URL that is a secret, as it is shown and stored in the clear: its host and its last four characters. */
export const shownUrl = ({ host, href }: URL): string => `${host}…${href.slice(-4)}`

/** The origin, because the path may be a secret. For a shown URL its host. */
export const originOf = (url: string): string =>
  /^\s*https?:/i.test(url) ? new URL(url).origin : url.split("…", 1)[0] ?? ""
