import type { RequestChange } from "../Domain/Calls/Change.ts"
import type { RawEndpoint, RawInput } from "./Provider.ts"
import { endpointUrl, upstreamUrl } from "./UpstreamUrl.ts"

/** A write as the request that is sent. */
export const requestChange = (
  { endpoint, input }: { readonly endpoint: Pick<RawEndpoint, "method" | "origin" | "path">; readonly input: RawInput }
): RequestChange => {
  const { origin, path } = endpointUrl(upstreamUrl(endpoint.origin.url), endpoint.path, input)
  return { request: { method: endpoint.method, url: origin + path, body: input.body ?? null } }
}
