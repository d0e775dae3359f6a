import { Schema } from "effect"
import type { Account } from "./Accounts.ts"
import { tokenOf } from "./Accounts.ts"
import { atRandom, type Caller, makeCaller, repeatedly, send } from "./Callers.ts"
import { inWindow, isAccepted, isRefused, mostInWindow, type ProviderRequest, requestsAt } from "./Truth.ts"

export interface World {
  /** URL of the sandbox. */
  readonly provider: string
  /** URLs of the instances that still run. */
  readonly instances: ReadonlyArray<string>
  /** Keys of members. */
  readonly keys: ReadonlyArray<string>
  readonly limit: number
  readonly seconds: number
}

export interface Finding {
  readonly what: string
  readonly measured: string
  readonly aim: string
  readonly isMet: boolean
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const ratio = (part: number, whole: number): number => whole === 0 ? 0 : part / whole

const p95 = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? Infinity

/** Ranges differ between scenarios, so that the log of the provider tells them apart. */
const rowOf = { load: 11, remaining: 12, foreign: 13, kill: 14, off: 15, other: 16, quiet: 17 }
const range = (scenario: keyof typeof rowOf): string => `A1:B${rowOf[scenario]}`

const read = ({ connectionId }: Account, scenario: keyof typeof rowOf) => ({
  provider: "gsheets",
  endpoint: "values.get",
  connection_id: connectionId,
  input: { path: { spreadsheetId: "sandbox-leads", range: range(scenario) } }
})

const truthOf = ({ provider }: World, scenario: keyof typeof rowOf) =>
  requestsAt(provider, `/values/${range(scenario)}`)

/** Each call goes to the next instance. */
const inTurn = (instances: () => ReadonlyArray<string>) => {
  let next = 0
  return (): string => {
    const all = instances()
    return all[next++ % all.length] ?? ""
  }
}

/** Ten times the limit, from all members. */
const saturate = async (
  { instances, keys, limit }: World,
  body: unknown,
  end: number,
  running: () => ReadonlyArray<string> = () => instances
): Promise<ReadonlyArray<Caller>> => {
  const members = keys.map(makeCaller)
  const url = inTurn(running)
  const millis = 60_000 * members.length / (10 * limit)
  await Promise.all(members.map((member) => atRandom(millis, end, () => send(member, url(), body))))
  return members
}

const refusals = (requests: ReadonlyArray<ProviderRequest>, most: number): Finding => {
  const refused = requests.filter(isRefused).length
  return {
    what: "refused by the provider",
    measured: `${refused} of ${requests.length}`,
    aim: `at most ${percent(most)}`,
    isMet: requests.length > 0 && refused <= most * requests.length
  }
}

const neverOver = (requests: ReadonlyArray<ProviderRequest>, limit: number): Finding => {
  const most = mostInWindow(requests.filter(isAccepted))
  return { what: "most requests in a minute", measured: `${most}`, aim: `at most ${limit}`, isMet: most <= limit }
}

const shareOf = (members: ReadonlyArray<Caller>, least: number): Finding => {
  const done = members.map(({ calls }) => calls.filter(({ status }) => status === 200).length)
  const fair = done.reduce((sum, each) => sum + each, 0) / done.length
  const share = ratio(Math.min(...done), fair)
  return {
    what: "least of a member's fair share",
    measured: percent(share),
    aim: `at least ${percent(least)}`,
    isMet: share >= least
  }
}

const use = (accepted: number, available: number, least: number): Finding => {
  const share = ratio(accepted, available)
  return {
    what: "of the quota used",
    measured: percent(share),
    aim: `at least ${percent(least)}`,
    isMet: share >= least
  }
}

const waitedBy = ({ calls }: Caller): number =>
  p95(calls.map(({ millis, status }) => status === 200 ? millis : Infinity))

/**
 * Members saturate a quota, while another one makes a call now and then: there, and on a quiet account, which shows how
 * long calls take that wait for nothing.
 */
export const load = async (world: World, account: Account, quiet: Account): Promise<ReadonlyArray<Finding>> => {
  const { instances, keys: [key = "", ...keys], limit, seconds } = world
  const end = Date.now() + seconds * 1000
  const body = read(account, "load")
  const [person, unhindered] = [makeCaller(key), makeCaller(key)]
  const url = inTurn(() => instances)
  const [members] = await Promise.all([
    saturate({ ...world, keys }, body, end),
    // Half of its fair share: a member that asks for more waits like the others.
    repeatedly(2 * 60_000 * (keys.length + 1) / limit, end, () => send(person, url(), body)),
    repeatedly(2000, end, () => send(unhindered, url(), read(quiet, "quiet")))
  ])
  const requests = await truthOf(world, "load")
  const [waited, usual] = [waitedBy(person), waitedBy(unhindered)]
  return [
    refusals(requests, 0.001),
    neverOver(requests, limit),
    use(requests.filter((request) => isAccepted(request) && request.at < end).length, limit * seconds / 60, 0.95),
    shareOf(members, 0.8),
    {
      what: "an interactive call, p95",
      measured: `${waited} ms, and ${usual} ms where nothing is scarce`,
      aim: "at most 1000 ms",
      isMet: waited <= 1000
    }
  ]
}

const Listed = Schema.Struct({ quotas: Schema.Array(Schema.Struct({ name: Schema.String, remaining: Schema.Finite })) })
const decodeListed = Schema.decodeUnknownSync(Listed)

/** Calls use two fifths of a quota. Every second, an instance says what is left. */
export const remaining = async (world: World, account: Account): Promise<ReadonlyArray<Finding>> => {
  const { instances, keys: [key = ""], limit, seconds } = world
  const end = Date.now() + seconds * 1000
  const caller = makeCaller(key)
  const url = inTurn(() => instances)
  const answers: Array<{ readonly from: number; readonly to: number; readonly remaining: number }> = []
  await Promise.all([
    atRandom(60_000 / (0.4 * limit), end, () => send(caller, url(), read(account, "remaining"))),
    repeatedly(1000, end, async () => {
      const from = Date.now()
      const response = await fetch(`${url()}/v1/quotas?connection_id=${account.connectionId}`, {
        headers: { authorization: `Bearer ${key}` }
      })
      const { quotas } = decodeListed(await response.json())
      const quota = quotas.find(({ name }) => name === "gsheets.read.account")
      answers.push({ from, to: Date.now(), remaining: quota?.remaining ?? limit })
    })
  ])
  const accepted = (await truthOf(world, "remaining")).filter(isAccepted)
  const wrong = answers.map(({ from, remaining, to }) => {
    // The answer was true at some time while it was asked for.
    const truths = [from, to, ...accepted.map(({ at }) => at).filter((at) => at > from && at < to)]
      .map((at) => limit - inWindow(accepted, at))
    return (remaining - Math.min(Math.max(remaining, Math.min(...truths)), Math.max(...truths))) / limit
  })
  const [least, most] = [Math.min(...wrong), Math.max(...wrong)]
  return [{
    what: "`remaining` differs from the truth",
    measured: `by ${percent(least)} to ${percent(most)} in ${wrong.length} answers, in ${
      percent(wrong.filter((each) => Math.abs(each) <= 0.05).length / wrong.length)
    } of them by less than 5 %`,
    aim: "at most 5.0 %",
    isMet: wrong.length > 0 && least >= -0.05 && most <= 0.05
  }]
}

/** Another application uses a third of the quota. Counted from the third window on. */
export const foreign = async (world: World, account: Account): Promise<ReadonlyArray<Finding>> => {
  const { limit, provider, seconds } = world
  const start = Date.now()
  const end = start + seconds * 1000
  const token = await tokenOf(provider, account)
  const other = new URL(`/gsheets/v4/spreadsheets/sandbox-leads/values/${range("other")}`, provider)
  await Promise.all([
    saturate(world, read(account, "foreign"), end),
    repeatedly(3 * 60_000 / limit, end, async () => {
      await (await fetch(other, { headers: { authorization: `Bearer ${token}` } })).text()
    })
  ])
  const isSettled = ({ at }: ProviderRequest) => at >= start + 120_000 && at < end
  const requests = (await truthOf(world, "foreign")).filter(isSettled)
  const others = (await truthOf(world, "other")).filter((request) => isSettled(request) && isAccepted(request))
  const left = limit * (seconds - 120) / 60 - others.length
  return [refusals(requests, 0.001), use(requests.filter(isAccepted).length, left, 0.85)]
}

/** Every answer of the property is a server error. */
export const failing = async (world: World, account: Account): Promise<ReadonlyArray<Finding>> => {
  const { instances, keys: [key = ""], provider, seconds } = world
  const caller = makeCaller(key)
  const url = inTurn(() => instances)
  const body = {
    provider: "ga4",
    endpoint: "properties.runReport",
    connection_id: account.connectionId,
    input: {
      path: { property: "990007" },
      body: { dateRanges: [{ startDate: "7daysAgo", endDate: "yesterday" }], metrics: [{ name: "sessions" }] }
    }
  }
  await atRandom(200, Date.now() + seconds * 1000, () => send(caller, url(), body, { prefer: "wait=0" }))
  const errors = (await requestsAt(provider, "properties/990007")).filter(({ status }) => status >= 500).length
  return [{
    what: "server errors of GA4",
    measured: `${errors} of ${caller.calls.length} calls`,
    aim: "1 to 9",
    isMet: errors > 0 && errors < 10
  }]
}

/** The first of two instances is killed in the middle. */
export const kill = async (
  world: World,
  account: Account,
  killFirst: () => void
): Promise<ReadonlyArray<Finding>> => {
  const { instances, limit, seconds } = world
  const half = Date.now() + seconds * 500
  const end = Date.now() + seconds * 1000
  let running = instances
  await Promise.all([
    saturate(world, read(account, "kill"), end, () => running),
    new Promise((resolve) => setTimeout(resolve, seconds * 500)).then(() => {
      killFirst()
      running = instances.slice(1)
    })
  ])
  const requests = await truthOf(world, "kill")
  const after = requests.filter((request) => isAccepted(request) && request.at >= half && request.at < end)
  return [refusals(requests, 0), neverOver(requests, limit), use(after.length, limit * seconds / 120, 0.9)]
}

/** For comparison: the same load without the governor. */
export const off = async (world: World, account: Account): Promise<ReadonlyArray<Finding>> => {
  await saturate(world, read(account, "off"), Date.now() + world.seconds * 1000)
  const requests = await truthOf(world, "off")
  const refused = requests.filter(isRefused).length
  return [{
    what: "refused by the provider",
    measured: `${refused} of ${requests.length}`,
    aim: "most",
    isMet: refused > requests.length / 2
  }]
}
