import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type FaultName, faults, RequestedFault } from "../../../src/Sandbox/Faults/Faults.ts"
import { type App, bodyText } from "../../../src/Sandbox/Server/FakeProvider.ts"
import type { AskedRequest } from "./Types.ts"

const maxAsked = 1000
const maxBody = 64_000

interface RequestedFault {
  readonly origin: string
  readonly fault: FaultName
  left: number
}

const isFaultName = (name: unknown): name is FaultName => faults.some((fault) => fault.name === name)

const parsed = (text: string): unknown => {
  if (text === "" || text.length > maxBody) return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const noContent = HttpServerResponse.empty({ status: 204 })

const badFault = HttpServerResponse.jsonUnsafe(
  { error: "Expected such as {\"origin\":\"gsc\",\"fault\":\"throttled\",\"times\":2}" },
  { status: 400 }
)

/** What a test asks of the sandbox: to fail, and what was asked of it. */
export class Control {
  #asked: Array<AskedRequest> = []
  #faults: Array<RequestedFault> = []

  readonly asked = (): ReadonlyArray<AskedRequest> => [...this.#asked]

  readonly forget = (): void => {
    this.#asked = []
    this.#faults = []
  }

  readonly fail = (origin: string, fault: FaultName, times = 1): void => {
    this.#faults.push({ origin, fault, left: times })
  }

  #take(origin: string): FaultName | undefined {
    const found = this.#faults.find((each) => each.origin === origin && each.left > 0)
    if (found === undefined) return undefined
    found.left -= 1
    return found.fault
  }

  readonly around = (origin: string, app: App): App =>
    Effect.gen({ self: this }, function*() {
      const { method, url: path } = yield* HttpServerRequest.HttpServerRequest
      const body = method === "GET" ? null : parsed(yield* bodyText)
      const response = yield* Effect.provideService(app, RequestedFault, () => this.#take(origin))
      this.#asked.push({ at: new Date().toISOString(), origin, method, path, body, status: response.status })
      if (this.#asked.length > maxAsked) this.#asked.shift()
      return response
    })

  readonly #ledger: App = Effect.map(HttpServerRequest.HttpServerRequest, ({ method }) => {
    if (method !== "DELETE") return HttpServerResponse.jsonUnsafe({ requests: this.asked() })
    this.forget()
    return noContent
  })

  readonly #addFault: App = Effect.map(bodyText, (text) => {
    const { fault, origin, times = 1 } = Object(parsed(text))
    if (typeof origin !== "string" || !isFaultName(fault) || !Number.isInteger(times)) return badFault
    this.fail(origin, fault, times)
    return noContent
  })

  /** The same over HTTP. */
  readonly routes = { "/ledger": this.#ledger, "/faults": this.#addFault } as const
}
