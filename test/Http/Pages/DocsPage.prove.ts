import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Browser } from "../../support/Browser.ts"
import { seed, TestServer } from "../../support/TestServer.ts"
import { send } from "../RawRequest.ts"

layer(Layer.merge(TestServer.layer, Browser.layer), { excludeTestServices: true })("GET /docs", (it) => {
  it.effect("has a quick start, and lets a visitor try a call, in less than 400 kB", () =>
    Effect.gen(function*() {
      const { url } = yield* TestServer
      const { readOnly } = yield* seed()
      const page = yield* (yield* Browser).open(url)
      const loaded = new Set<string>()
      page.on("request", (request) => loaded.add(request.url().slice(url.length)))
      const response = yield* Effect.promise(() => page.goto("/docs", { waitUntil: "networkidle" }))
      assert.include(response?.headers()["content-security-policy"], " script-src 'self';")
      yield* Effect.promise(() => page.getByText(`export OA=${url}`).waitFor())
      const sizes = yield* Effect.forEach(loaded, (path) => send(path, { accept: "gzip" }))
      assert.include([...loaded], "/openapi.json")
      assert.isBelow(sizes.reduce((sum, { body }) => sum + body.length, 0), 400_000)

      yield* Effect.promise(() => page.getByRole("link", { name: "authentication", exact: true }).click())
      const key = page.getByPlaceholder("oa_").first()
      yield* Effect.promise(() => key.fill(readOnly))
      yield* Effect.promise(() => key.press("Enter"))
      yield* Effect.promise(() => page.getByText("Providers", { exact: true }).first().click())
      yield* Effect.promise(() => page.getByText("List the providers", { exact: true }).first().click())
      yield* Effect.promise(() => page.getByRole("button", { name: "Execute" }).click())
      yield* Effect.promise(() => page.getByText("\"Search Console\"").first().waitFor())
    }).pipe(Effect.scoped))
})
