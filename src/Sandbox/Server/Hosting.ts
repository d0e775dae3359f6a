import { Context } from "effect"
import type { App } from "./FakeProvider.ts"

/** How the fakes are served. A program that serves them alone sees their requests, and has routes of its own. */
export const Hosting = Context.Reference<{
  /** 0 for any free port. */
  readonly port: number
  readonly around: (origin: string, app: App) => App
  readonly routes: Readonly<Record<`/${string}`, App>>
  /** The origin of a path that does not begin with one: some clients take no base path. */
  readonly originOf: (method: string, url: string) => string | undefined
}>("openaccounts/Sandbox/Server/Hosting", {
  defaultValue: () => ({ port: 0, around: (_, app) => app, routes: {}, originOf: () => undefined })
})
