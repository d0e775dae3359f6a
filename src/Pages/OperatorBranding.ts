import { Data, Effect, FileSystem, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { markArc } from "../Api/Pages/Mark.ts"
import { operator } from "../Settings.ts"
import { type Html, html, outsideLink } from "./Html/HtmlParts.ts"

const contentTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  svg: "image/svg+xml"
}

const maxBytes = 256 * 1024

export class LogoInvalid extends Data.TaggedError("LogoInvalid")<{ readonly message: string }> {}

const readLogo = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const invalid = (reason: string) => new LogoInvalid({ message: `APP_LOGO_FILE: ${file} ${reason}` })
  const contentType = contentTypes[file.toLowerCase().split(".").at(-1) ?? ""]
  if (contentType === undefined) return yield* invalid("is not a .png, .jpg, .webp or .svg file")
  const bytes = yield* Effect.mapError(fs.readFile(file), () => invalid("cannot be read"))
  if (bytes.length > maxBytes) return yield* invalid(`is larger than ${maxBytes} bytes`)
  return HttpServerResponse.uint8Array(bytes, {
    contentType,
    headers: {
      "cache-control": "public, max-age=3600",
      // An SVG that is opened as a page must not run scripts.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
    }
  })
})

const logoPath = "/connect/logo"

/** The dashboard's mark, for an operator without a logo. */
const mark =
  html`<svg class="mark" width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="${markArc}"/><circle cx="16" cy="16" r="2.5"/></svg>`

export interface OperatorBranding {
  readonly name: string
  readonly logo: Option.Option<HttpServerResponse.HttpServerResponse>
  readonly frame: { readonly above: Html; readonly below: Html | undefined }
}

export const operatorBranding = Effect.gen(function*(): Effect.fn.Return<
  OperatorBranding,
  LogoInvalid | Effect.Error<typeof operator>,
  FileSystem.FileSystem
> {
  const { logoFile, name, privacyUrl } = yield* operator
  const logo = Option.isSome(logoFile) ? Option.some(yield* readLogo(logoFile.value)) : Option.none()
  return {
    name,
    logo,
    frame: {
      above: html`${Option.isSome(logo) ? html`<img src="${logoPath}" alt="" height="32">` : mark}<span>${name}</span>`,
      below: Option.match(privacyUrl, {
        onNone: () => undefined,
        onSome: (url) => outsideLink(`Privacy policy of ${name}`, url)
      })
    }
  }
})
