/** Where an agent's redirect URI leads. */
export interface RedirectTarget {
  /** The host in full, or the scheme that an app on the machine has registered. */
  readonly name: string
  /** A program on the member's own machine. Its identity cannot be checked. */
  readonly isLocal: boolean
  /** For the `form-action` of a Content-Security-Policy. */
  readonly policySource: string
}

/** Characters of a host in a policy. The syntax of policies has none for IPv6 addresses. */
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
