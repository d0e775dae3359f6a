export interface RedirectTarget {
  /** The host, or the scheme of an app on the member's machine. */
  readonly name: string
  /** A program on the member's machine, whose identity cannot be checked. */
  readonly isLocal: boolean
  /** The source that `form-action` of a Content-Security-Policy allows. */
  readonly policySource: string
}

/** A host as a policy can name it: the syntax has no IPv6 addresses. */
const policyHost = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/

export const redirectTarget = (redirectUri: string): RedirectTarget => {
  const { host, hostname, origin, protocol } = new URL(redirectUri)
  if (protocol !== "http:" && protocol !== "https:") {
    return { name: `the app for ${protocol}//`, isLocal: true, policySource: protocol }
  }
  return {
    name: host,
    isLocal: protocol === "http:" || hostname === "localhost" || hostname.endsWith(".localhost"),
    policySource: policyHost.test(origin) ? origin : protocol
  }
}
