import type { RawEndpoint } from "../Provider.ts"
import { onePerRequest, type Quota } from "../Quota.ts"

/** Requests a minute of one account, and of one project. A batch counts as one request. */
interface Requests {
  readonly account: number
  readonly project: number
}

/** The quotas of a Workspace API: reads and writes a minute of a user and of a project, and none a day. */
export const minuteQuotas = (
  provider: string,
  endpoints: ReadonlyArray<RawEndpoint>,
  { asOf, read, source, write }: {
    readonly source: string
    readonly asOf: string
    readonly read: Requests
    readonly write: Requests
  }
): ReadonlyArray<Quota> =>
  Object.entries({ read, write }).flatMap(([kind, { account, project }]): ReadonlyArray<Quota> => {
    const ofKind = endpoints.filter(({ writes }) => writes === (kind === "write"))
    const units = onePerRequest(ofKind.map(({ id }) => id))
    const common = { counts: "units", windowSeconds: 60, units, source, asOf } as const
    return [
      {
        ...common,
        name: `${provider}.${kind}.account`,
        scope: "account",
        limit: account,
        named: /perminuteperuser|userratelimitexceeded/
      },
      {
        ...common,
        name: `${provider}.${kind}.project`,
        scope: "project",
        limit: project,
        named: /perminuteperproject|perminute'/
      }
    ]
  })
