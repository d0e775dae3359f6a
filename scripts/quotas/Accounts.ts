import { Effect } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { create, Created, CreatedKey } from "../bench/Service.ts"

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
const pem = privateKey.export({ type: "pkcs8", format: "pem" })

export interface Account {
  readonly email: string
  readonly connectionId: string
}

/** A service account of its own, so that its quotas are too. The sandbox accepts every one. */
export const makeAccount = Effect.fnUntraced(function*(url: string, name: string, provider = "gsheets") {
  const email = `${name}@sandbox.iam.gserviceaccount.com`
  const { id } = yield* create(url, "connections", {
    provider,
    auth_type: "service_account",
    label: name,
    credentials: {
      type: "service_account",
      project_id: "sandbox",
      private_key_id: "sandbox",
      private_key: pem,
      client_email: email,
      token_uri: "https://oauth2.googleapis.com/token"
    }
  }, Created)
  return { email, connectionId: id } satisfies Account
})

export const makeKey = Effect.fnUntraced(function*(url: string, name: string) {
  const member = yield* create(url, "members", { email: `${name}@example.com`, client_ids: null }, Created)
  return (yield* create(url, "keys", { member_id: member.id, name, access: "read_only" }, CreatedKey)).key
})

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** The token of an application that is not the service. The sandbox accepts every signature. */
export const tokenOf = async (provider: string, { email }: Account): Promise<string> => {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: email,
    aud: "https://oauth2.googleapis.com/token",
    iat: now,
    exp: now + 3600,
    scope: "https://www.googleapis.com/auth/spreadsheets"
  }
  const response = await fetch(`${provider}/googleToken`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: `${part({ alg: "RS256" })}.${part(claims)}.signature`
    })
  })
  const { access_token } = await response.json() as { readonly access_token: string }
  return access_token
}
