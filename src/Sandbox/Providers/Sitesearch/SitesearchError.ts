import { Data } from "effect"

/** `ApiErrorCode`. 18 is undocumented; the live API returns it. */
const codes = {
  InternalError: 1,
  UnknownError: 2,
  InvalidApiKey: 3,
  ThrottleUser: 4,
  InvalidUrl: 7,
  InvalidParameter: 8,
  NotAllowed: 13,
  NotAuthorized: 14,
  InvalidToken: 18
} as const

export class SitesearchError extends Data.TaggedError("SearchError")<{
  readonly name: keyof typeof codes
  readonly text?: string
}> {
  get body() {
    return { ErrorCode: codes[this.name], Message: `ERROR!!! ${this.text ?? this.name}` }
  }
}

export const sitesearchError = (name: keyof typeof codes, text?: string) =>
  new SitesearchError(text === undefined ? { name } : { name, text })
