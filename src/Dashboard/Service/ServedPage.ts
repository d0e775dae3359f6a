const metaOf = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || undefined

export const applicationName = metaOf("application-name") ?? "OpenAccounts"

/** Features that the service leaves out. */
export const featuresOff: ReadonlyArray<string> = metaOf("features-off")?.split(" ") ?? []

export const hasConnectLinks = !featuresOff.includes("connect_links")

/** The URL of the API. The dashboard may have another address. */
export const serviceUrl = metaOf("service-url") ?? location.origin
