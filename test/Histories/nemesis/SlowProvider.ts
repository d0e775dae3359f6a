import type { Handler } from "../../support/LoopbackUpstream.ts"
import type { Write } from "./Checker.ts"

/** The account is in the token of a request, as its seed has named it. */
const memberIn = (text: string | undefined) => /(?:access|refresh)-(seed-\d+-)/.exec(text ?? "")?.[1] ?? ""

/** Notes writes, answers with the name of the account, and takes its time, so that faults meet calls under way. */
export const slowProvider = (ledger: Array<Write>): Handler => {
  let requests = 0
  return ({ body, headers, url }) => {
    const key = /Key\d+/.exec(url)?.[0]
    const member = memberIn(url === "/token" ? body : headers.authorization)
    if (key !== undefined) ledger.push({ member, key })
    const answer = url === "/token"
      ? { access_token: `ya29.access-${member}${requests}`, expires_in: 3600, token_type: "Bearer" }
      : key === undefined
      ? { siteEntry: [{ siteUrl: `https://${member}.example/` }] }
      : { spreadsheetId: member, clearedRange: `${key}!A1` }
    return (response) => {
      setTimeout(() => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
      }, 50 * (++requests % 7))
    }
  }
}
