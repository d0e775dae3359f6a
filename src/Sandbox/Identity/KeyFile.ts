import { generateKeyPair } from "node:crypto"
import { promisify } from "node:util"

/** The key file of a new service account. The sandbox accepts any. */
export const makeKeyFile = async (): Promise<string> => {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })
  return JSON.stringify(
    {
      type: "service_account",
      project_id: "sandbox",
      private_key_id: "sandbox",
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
      client_email: "robot@sandbox.iam.gserviceaccount.com",
      token_uri: "https://oauth2.googleapis.com/token"
    },
    null,
    2
  )
}
