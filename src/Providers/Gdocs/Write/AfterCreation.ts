import {
  CredentialsExpired,
  CredentialsRejected,
  type ProviderError,
  UpstreamError,
  UpstreamUnreachable
} from "../../../Api/Errors.ts"
import { documentUrl } from "../../Google/FileReference.ts"

/** What went wrong once the document was there: whoever reads it has to find the document. */
export const afterCreation = (documentId: string, error: ProviderError): ProviderError => {
  const options = {
    message: `${error.message} The document was created, but its text was not written: ${documentId}, ` +
      `${documentUrl(documentId)}`,
    retryAfter: error.retryAfter,
    cause: error
  }
  switch (error._tag) {
    case "UpstreamError":
      return new UpstreamError({ ...options, status: error.status, details: error.details })
    case "CredentialsRejected":
      return new CredentialsRejected({ ...options, details: error.details })
    case "CredentialsExpired":
      return new CredentialsExpired(options)
    case "UpstreamUnreachable":
      return new UpstreamUnreachable(options)
  }
}
