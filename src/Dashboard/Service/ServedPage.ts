const metaOf = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || undefined

/** `APP_NAME` of the service. */
export const applicationName = metaOf("application-name") ?? "OpenAccounts"

/** Where callers and agents find the service. The dashboard can have an address of its own. */
export const serviceUrl = metaOf("service-url") ?? location.origin
