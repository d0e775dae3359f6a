import { randomBytes } from "node:crypto"
import { keyFile } from "../support/ServiceAccountFile.ts"

export const externalSecrets = {
  googleClientSecret: "GOCSPX-canary_client-secret-01",
  sitesearchClientSecret: "canary-client+secret/0123456789",
  adminToken: "canary-admin-token/0123456789+0123456789",
  metricsToken: "canary-metrics-token/0123456789+0123456789",
  collectorToken: "canary-collector-token-0123456789",
  encryptionKey: randomBytes(32).toString("base64"),
  laterEncryptionKey: randomBytes(32).toString("base64"),
  oidcClientSecret: "canary-oidc-secret+/0123456789",
  accessToken: "ya29.canary-access-0123456789",
  refreshToken: "1//canary-refresh-0123456789",
  issuedToken: "ya29.canary-issued-0123456789",
  rotatedRefreshToken: "1//canary-rotated-0123456789",
  idToken: "eyJjYW5hcnkiOiJpZCJ9.eyJjYW5hcnkiOiJpZC10b2tlbiJ9.canary-id-token",
  opaqueAccessToken: "canary+access/\"0123456789\"==",
  opaqueRefreshToken: "canary+refresh/\\0123456789==",
  authorizationCode: "4/0canary-code-0123456789",
  sitesearchKey: "c0ffee0be1d24c7788aa01bc23de45f6",
  privateKey: keyFile.private_key.split("\n")[5] ?? "",
  malformedKey: "canary private key that is none 0123456789",
  password: "canary three quiet harbours",
  wrongPassword: "canary four noisy harbours",
  unknownApiKey: "oa_canaryCANARYcanaryCANARYcanary0123456789AB",
  nearlyAdminToken: "canary-nearly-the-admin-token-0123456789-0123456789"
} as const

/** Provider data: callers get it, and it is never stored in clear. */
export const answeredSecrets = {
  authenticationCode: "CANARY0AUTHENTICATION0CODE0123456",
  dnsVerificationCode: "canary0dns0verification0code0123456789"
} as const

const formsOf = (secret: string): ReadonlyArray<string> => {
  const json = JSON.stringify(secret).slice(1, -1)
  // Within a longer text, a secret has three encodings in base64. The characters at its ends depend on the text.
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString("base64").replace(/=+$/, "")
    return text.slice(before === 0 ? 0 : before + 1, -1)
  })
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams({ "": secret }).toString().slice(1),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    Buffer.from(secret).toString("hex")
  ]
}

export const findSecrets = (secrets: Readonly<Record<string, string>>, where: Buffer | string): ReadonlyArray<string> =>
  Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).some((form) => where.includes(form)) ? [name] : []
  )
