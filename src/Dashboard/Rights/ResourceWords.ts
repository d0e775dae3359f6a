const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  gsc: ["site", "sites"],
  ga4: ["property", "properties"],
  sitesearch: ["site", "sites"],
  gsheets: ["spreadsheet", "spreadsheets"],
  gdocs: ["document", "documents"]
}

export const resourceNoun = (provider: string, count: number): string =>
  (nouns[provider] ?? ["resource", "resources"])[count === 1 ? 0 : 1]

/** The provider's id and the name of the resource there. */
const partsOf = (resource: string): readonly [provider: string, name: string] => {
  const end = resource.indexOf(":")
  return [resource.slice(0, end), resource.slice(end + 1)]
}

export const resourceWords = (resource: string): string => {
  const [provider, name] = partsOf(resource)
  if (name === "created") return `New ${resourceNoun(provider, 2)} that it makes itself`
  const domain = /^sc-domain:(.+)$/.exec(name)?.[1]
  return domain === undefined ? name.replace(/^https?:\/\/([^/]+)\/$/, "$1") : `${domain} (domain)`
}

/** `name` is what the account calls it. */
export const resourceTitle = (resource: string, name: string | undefined): string =>
  name === undefined || name === partsOf(resource)[1] ? resourceWords(resource) : name

export const isResource = (text: string): boolean => text.includes(":") && Object.hasOwn(nouns, partsOf(text)[0])

export const fileProviders = ["gsheets", "gdocs"]

/** A resource from what a person pastes: the resource itself, its name there, or the address of a file. */
export const resourceFrom = (text: string, provider: string | undefined): string => {
  const file = /^https:\/\/docs\.google\.com\/(spreadsheets|document)\/d\/([\w-]+)/.exec(text)
  if (file) return `${file[1] === "document" ? "gdocs" : "gsheets"}:${file[2]}`
  return provider === undefined || isResource(text) ? text : `${provider}:${text}`
}
