import { isoCBOR } from "@simplewebauthn/server/helpers"
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest()
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString("base64url")

export interface Ceremony {
  readonly challenge: string
  readonly rpId: string
  readonly origin: string
  readonly isVerified?: boolean
}

/** Bits of authenticator data: user present, user verified, credential attached. */
const flagsOf = (isVerified: boolean, isNew: boolean) => 1 | (isVerified ? 4 : 0) | (isNew ? 0x40 : 0)

const clientData = (type: string, { challenge, origin }: Ceremony) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
const authenticatorData = ({ isVerified = true, rpId }: Ceremony, counter: number, attached = Buffer.alloc(0)) => {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.of(flagsOf(isVerified, attached.length > 0)), count, attached])
}

export const softAuthenticator = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { x = "", y = "" } = publicKey.export({ format: "jwk" })
  const id = randomBytes(32)
  const credential = { id: base64url(id), rawId: base64url(id), type: "public-key" as const }

  return {
    id: credential.id,

    create: (ceremony: Ceremony) => {
      // ES256 on P-256 (RFC 9052, RFC 9053).
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")]
        ])
      )
      const attached = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key])
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ["fmt", "none"],
          ["attStmt", new Map<string, string>()],
          ["authData", authenticatorData(ceremony, 0, attached)]
        ])
      )
      return {
        ...credential,
        authenticatorAttachment: "platform",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData("webauthn.create", ceremony)),
          attestationObject: base64url(attestationObject)
        }
      }
    },

    get: (ceremony: Ceremony, counter: number, userHandle?: string) => {
      const data = authenticatorData(ceremony, counter)
      const client = clientData("webauthn.get", ceremony)
      return {
        ...credential,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign("sha256", Buffer.concat([data, sha256(client)]), privateKey)),
          ...(userHandle === undefined ? {} : { userHandle: base64url(userHandle) })
        }
      }
    }
  }
}
