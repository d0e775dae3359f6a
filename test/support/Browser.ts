import { Context, Effect, Layer, type Scope } from "effect"
import * as playwright from "playwright-core"
import { shared } from "./Shared.ts"

const args = ["--no-sandbox", "--disable-gpu", "--no-zygote", "--disable-quic", "--disable-background-networking"]

export interface PageOptions {
  readonly colorScheme?: "light" | "dark"
  readonly locale?: string
  readonly width?: number
  readonly javaScriptEnabled?: boolean
  readonly origins?: ReadonlyArray<string>
}

export class Browser extends Context.Service<Browser, {
  /**
   * A page in a new profile. When its scope closes, the test fails if there was a console error, an uncaught error or a
   * request to an origin other than `origin` and `origins`.
   */
  readonly open: (origin: string, options?: PageOptions) => Effect.Effect<playwright.Page, never, Scope.Scope>
}>()("openaccounts/test/Browser") {
  /** One Chromium for all test files of a worker. */
  static readonly layer = shared(Layer.effect(
    Browser,
    Effect.gen(function*() {
      const browser = yield* Effect.acquireRelease(
        Effect.promise(() => playwright.chromium.launch({ executablePath: process.env["CHROMIUM_PATH"] ?? "", args })),
        (browser) => Effect.promise(() => browser.close())
      )
      return Browser.of({
        open: (
          origin,
          { colorScheme = "light", javaScriptEnabled = true, locale = "en-US", origins = [], width = 1280 } = {}
        ) =>
          Effect.gen(function*() {
            const context = yield* Effect.acquireRelease(
              Effect.promise(() =>
                browser.newContext({
                  baseURL: origin,
                  colorScheme,
                  javaScriptEnabled,
                  locale,
                  viewport: { width, height: 800 }
                })
              ),
              (context) => Effect.promise(() => context.close())
            )
            const page = yield* Effect.promise(() => context.newPage())
            const mistakes: Array<string> = []
            page.on("console", (message) => {
              // The network's report of an error that the page shows, such as "Failed to load resource: 401".
              if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
                mistakes.push(message.text())
              }
            })
            page.setDefaultTimeout(120_000)
            page.on("pageerror", (error) => mistakes.push(String(error)))
            page.on("request", (request) => {
              const { origin: asked } = new URL(request.url())
              if (asked !== origin && !origins.includes(asked)) mistakes.push(`A request to ${request.url()}`)
            })
            yield* Effect.addFinalizer(() =>
              mistakes.length === 0 ? Effect.void : Effect.die(new Error(mistakes.join("\n")))
            )
            return page
          })
      })
    })
  ))
}
