import { Effect, FileSystem, Option, Path } from "effect"
import { HttpServerResponse } from "effect/http"

export const fontPath = "/connect/font"

/** `dist` is beside `src` in a clone and in the image, and beside the JavaScript in the package. */
const file = new URL("../../dist/dashboard/assets/geist-latin-wght-normal.woff2", import.meta.url)

/** The dashboard's typeface, which may be served at another address. Without a built dashboard, pages use the system's. */
export const pageFont = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* Effect.option(fs.readFile(yield* (yield* Path.Path).fromFileUrl(file)))
  return Option.map(bytes, (bytes) =>
    HttpServerResponse.uint8Array(bytes, {
      contentType: "font/woff2",
      headers: { "cache-control": "public, max-age=604800" }
    }))
})
