import { Option, Result, Schema } from "effect"

/** A file that has several settings. */
export interface SettingsFile {
  readonly setting: string
  readonly names: ReadonlyArray<string>
  /** Fails with what the file is instead. */
  readonly read: (text: string) => Result.Result<Readonly<Record<string, string>>, string>
}

const WebClient = Schema.fromJsonString(Schema.Struct({
  web: Schema.Struct({ client_id: Schema.NonEmptyString, client_secret: Schema.NonEmptyString })
}))
const decodeWebClient = Schema.decodeOption(WebClient)

const keysOf = Schema.decodeOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const mistakeIn = (text: string): string => {
  const file = Option.getOrElse(keysOf(text), (): Readonly<Record<string, unknown>> => ({}))
  if ("installed" in file) {
    return "has a client of the type Desktop, which has no redirect URIs. Create a Web application"
  }
  if (file["type"] === "service_account") {
    return "is the key of a service account. Create a connection with it, or set GOOGLE_SERVICE_ACCOUNT_FILE"
  }
  return "is not the JSON file that Google's console downloads for a client of the type Web application"
}

/** The JSON file that Google's console downloads for an OAuth client. */
export const googleClientFile: SettingsFile = {
  setting: "GOOGLE_CLIENT_FILE",
  names: ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  read: (text) =>
    Option.match(decodeWebClient(text), {
      onNone: () => Result.fail(mistakeIn(text)),
      onSome: ({ web }) => Result.succeed({ GOOGLE_CLIENT_ID: web.client_id, GOOGLE_CLIENT_SECRET: web.client_secret })
    })
}
