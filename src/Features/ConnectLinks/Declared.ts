export const connectLinkActions = {
  "link.created": "made a connect link for",
  "link.ended": "ended a connect link for",
  "link.used": "connected an account with a link for"
}

/** The actor has no account in this service. */
export const visitorActions = ["link.used"] as const
