import { HttpServerResponse } from "effect/http"
import { escapeHtml } from "../Domain/Text/EscapeHtml.ts"

const errorPage = (status: number, title: string, text: string) =>
  HttpServerResponse.text(
    `<!DOCTYPE html>\n<html lang=en>\n<title>Error ${status} (${title})!!1</title>\n` +
      `<p><b>${status}.</b> <ins>That’s an error.</ins>\n<p>${text}  <ins>That’s all we know.</ins>\n`,
    { status, contentType: "text/html; charset=UTF-8" }
  )

export const notFoundPage = (path: string) =>
  errorPage(404, "Not Found", `The requested URL <code>${escapeHtml(path)}</code> was not found on this server.`)

export const badGatewayPage = errorPage(
  502,
  "Server Error",
  "The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds."
)
