export interface ConnectOutcome {
  /** `closed`: the person closed the window, or its site keeps it apart from its opener. */
  readonly status: "connected" | "denied" | "failed" | "closed"
  /** The last provider that was connected. `connectionId` is its connection. */
  readonly provider: string | null
  readonly connectionId: string | null
  readonly connectionIds: ReadonlyArray<string>
}

interface Popup {
  readonly closed: boolean
  readonly location: { href: string }
  readonly close: () => void
}

interface Message {
  readonly origin: string
  readonly source: unknown
  readonly data: { readonly source?: unknown } & ConnectOutcome
}

type Listen = (type: "message", listener: (message: Message) => void) => void

declare const window: {
  readonly location: { readonly origin: string }
  readonly screenX: number
  readonly screenY: number
  readonly outerWidth: number
  readonly outerHeight: number
  readonly open: (url: string, target: string, features: string) => Popup | null
  readonly addEventListener: Listen
  readonly removeEventListener: Listen
}

const width = 520
const height = 720

const pollIntervalMillis = 300

/**
 * Opens a connect link in a window and waits for the outcome. Call it in a click handler, otherwise browsers block the
 * window. A promise of the URL is fine. The origin of this page must be in `CONNECT_REDIRECT_ORIGINS` of the service.
 * Rejects when the browser blocks the window, the promise of the URL rejects, or the URL is not http or https.
 */
export const connect = async (url: string | PromiseLike<string>): Promise<ConnectOutcome> => {
  const left = window.screenX + (window.outerWidth - width) / 2
  const top = window.screenY + (window.outerHeight - height) / 2
  const popup = window.open("", "_blank", `popup,width=${width},height=${height},left=${left},top=${top}`)
  if (popup === null) throw new Error("The browser blocked the window. Call connect() in the handler of a click.")
  try {
    const page = new URL(await url)
    if (page.protocol !== "https:" && page.protocol !== "http:") {
      throw new TypeError(`connect() opens http and https URLs only, not ${page.protocol}`)
    }
    page.searchParams.set("opener", window.location.origin)
    const outcome = outcomeOf(popup, page.origin)
    popup.location.href = page.href
    return await outcome
  } catch (error) {
    popup.close()
    throw error
  }
}

const outcomeOf = (popup: Popup, service: string): Promise<ConnectOutcome> =>
  new Promise((resolve) => {
    let polls = 0
    const finish = (outcome: ConnectOutcome) => {
      clearInterval(timer)
      window.removeEventListener("message", onMessage)
      resolve(outcome)
    }
    const onMessage = ({ data, origin, source }: Message) => {
      if (origin !== service || source !== popup || data?.source !== "openaccounts") return
      const { connectionId, connectionIds, provider, status } = data
      finish({ status, provider, connectionId, connectionIds })
    }
    // The window's message may arrive after the first poll that finds it closed.
    const timer = setInterval(() => {
      if (popup.closed && ++polls > 1) {
        finish({ status: "closed", provider: null, connectionId: null, connectionIds: [] })
      }
    }, pollIntervalMillis)
    window.addEventListener("message", onMessage)
  })
