import { Config, Schema, SchemaTransformation } from "effect"

const isOrigin = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text

const ConnectRedirectOrigins = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(
      Schema.String.check(Schema.makeFilter(isOrigin, { expected: "an origin such as https://app.example.com" }))
    ),
    SchemaTransformation.transform({
      decode: (text): ReadonlyArray<string> =>
        text.split(",").map((part) => part.trim().replace(/\/$/, "")).filter((part) => part !== ""),
      encode: (origins) => origins.join(",")
    })
  )
)

const noOrigins: ReadonlyArray<string> = []

/** Origins that a connect link may return to, and whose pages may open it in a window. */
export const connectRedirectOrigins = Config.schema(ConnectRedirectOrigins, "CONNECT_REDIRECT_ORIGINS").pipe(
  Config.withDefault(noOrigins)
)
