import { RateLimited } from "../Api/Errors.ts"

const retryAfter = "5"

const tooMuch = (what: string) => (): RateLimited =>
  new RateLimited({
    message:
      `The member has too ${what} under way. Retry in ${retryAfter} seconds with fewer calls or less data at once.`,
    retryAfter
  })

export const tooManyCalls = tooMuch("many calls")
export const tooManyBytes = tooMuch("many large requests or responses")
