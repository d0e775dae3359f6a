import { HttpServerResponse } from "effect/http"
import { Readable } from "node:stream"
import { escapeHtml } from "../Server/HtmlPages.ts"

/** Answers that no provider means to give. */

const page = (status: number, title: string, text: string) =>
  HttpServerResponse.text(
    `<!DOCTYPE html>\n<html lang=en>\n<title>Error ${status} (${title})!!1</title>\n` +
      `<p><b>${status}.</b> <ins>That’s an error.</ins>\n<p>${text}  <ins>That’s all we know.</ins>\n`,
    { status, contentType: "text/html; charset=UTF-8" }
  )

/** To an unknown path as to a wrong verb. */
export const notFoundPage = (path: string) =>
  page(404, "Not Found", `The requested URL <code>${escapeHtml(path)}</code> was not found on this server.`)

export const badGatewayPage = page(
  502,
  "Server Error",
  "The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds."
)

export const notJson = HttpServerResponse.text("{\"rows\": [ this is not JSON", {
  contentType: "application/json; charset=UTF-8"
})

/** Announces more than it sends, then drops the connection. */
export const cutOff = () => {
  const start = "{\"rows\": ["
  return HttpServerResponse.raw(
    Readable.from((function*() {
      yield start
      throw new Error("cut off")
    })()),
    { headers: { "content-type": "application/json; charset=UTF-8", "content-length": "4096" } }
  )
}
