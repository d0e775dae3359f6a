import type { Provider } from "../Provider.ts"
import { bearer } from "../RequestAuthentication.ts"
import { classifyGoogle, googleErrorMessage, googleQuotaError } from "./Classify.ts"
import { google } from "./IdentityProvider.ts"
import { protobufJson } from "./ProtobufJson.ts"

export const googleApi = {
  authentication: { oauth: bearer, service_account: bearer },
  identity: google,
  classify: classifyGoogle,
  errorMessage: googleErrorMessage,
  quotaError: googleQuotaError,
  bodyReader: protobufJson
} satisfies Partial<Provider>
