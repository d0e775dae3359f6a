import { generateKeyPairSync, type KeyObject } from "node:crypto"

export const pem = ({ privateKey }: { readonly privateKey: KeyObject }): string =>
  privateKey.export({ type: "pkcs8", format: "pem" }).toString()

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 })

export const publicKey = keys.publicKey

export const keyFile = {
  type: "service_account" as const,
  project_id: "a-project",
  private_key_id: "key-1",
  private_key: pem(keys),
  client_email: "robot@a-project.iam.gserviceaccount.com",
  client_id: "1234",
  token_uri: "https://oauth2.googleapis.com/token",
  universe_domain: "googleapis.com"
}
