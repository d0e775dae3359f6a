import { type Html, html } from "../Html/HtmlParts.ts"

export type LinkStatus = "connected" | "denied" | "failed"

export interface LinkOutcome {
  readonly status: LinkStatus
  readonly provider: string
  readonly connectionId: string | null
}

/** Reports the outcome to the page that opened the window, at its exact origin. `openaccounts/connect` reads it. */
export const openerScript = `
const { origin, status, provider, connection } = document.getElementById("outcome").dataset
if (opener) {
  opener.postMessage({ source: "openaccounts", status, provider, connectionId: connection || null }, origin)
  close()
}
`

export const outcomeData = (origin: string, { connectionId, provider, status }: LinkOutcome): Html =>
  html`<div id="outcome" hidden data-origin="${origin}" data-status="${status}" data-provider="${provider}" data-connection="${
    connectionId ?? ""
  }"></div>`

export const withOutcome = (
  redirectUrl: string,
  { connectionId, provider, status }: Omit<LinkOutcome, "provider"> & { readonly provider: string | undefined }
): string => {
  const url = new URL(redirectUrl)
  url.searchParams.set("status", status)
  if (provider !== undefined) url.searchParams.set("provider", provider)
  if (connectionId !== null) url.searchParams.set("connection_id", connectionId)
  return url.href
}
