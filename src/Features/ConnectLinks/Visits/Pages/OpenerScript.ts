import { type Html, html } from "../../../../Pages/Html/HtmlParts.ts"
import type { OpenedLink } from "../../ConnectLinks.ts"

export type LinkStatus = "connected" | "denied" | "failed"

export interface LinkOutcome {
  readonly status: LinkStatus
  /** The provider that the person has finished last. */
  readonly provider: string | undefined
  readonly connectionIds: ReadonlyArray<string>
}

/** The outcome of a link that the person has finished. */
export const outcomeOf = ({ connected, providers }: OpenedLink): LinkOutcome => ({
  status: connected.length > 0 ? "connected" : "denied",
  provider: connected.at(-1)?.provider ?? (providers.length === 1 ? providers[0] : undefined),
  connectionIds: connected.map(({ connection_id }) => connection_id)
})

/** Reports the outcome to the page that opened the window, at its exact origin. `openaccounts/connect` reads it. */
export const openerScript = `
const { origin, status, provider, connections } = document.getElementById("outcome").dataset
if (opener) {
  const connectionIds = connections ? connections.split(",") : []
  const connectionId = connectionIds.at(-1) ?? null
  opener.postMessage({ source: "openaccounts", status, provider, connectionId, connectionIds }, origin)
  close()
}
`

export const outcomeData = (origin: string, { connectionIds, provider, status }: LinkOutcome): Html =>
  html`<div id="outcome" hidden data-origin="${origin}" data-status="${status}" data-provider="${provider}" data-connections="${
    connectionIds.join(",")
  }"></div>`

export const withOutcome = (redirectUrl: string, { connectionIds, provider, status }: LinkOutcome): string => {
  const url = new URL(redirectUrl)
  url.searchParams.set("status", status)
  if (provider !== undefined) url.searchParams.set("provider", provider)
  const last = connectionIds.at(-1)
  if (last !== undefined) {
    url.searchParams.set("connection_id", last)
    url.searchParams.set("connection_ids", connectionIds.join(","))
  }
  return url.href
}
