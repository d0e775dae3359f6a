import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { type Answers, attacks, keepReport, type Target } from "./Attacks.ts"
import type { SigningIn } from "./SigningIn.ts"

export interface Victim {
  readonly pid: number
  readonly url: string
  readonly key: string
  readonly member: SigningIn
}

export interface Observation extends Answers {
  /** The longest call of another member, in milliseconds. */
  readonly latency: number
  readonly refused: number
  /** The longest sign-in of the other member, in milliseconds, 0 if the attack is not at signing in. */
  readonly signIn: number
  /** The longest response of `/healthz`, in milliseconds. */
  readonly gap: number
  /** The longest query of a kept result of the other member, in milliseconds, 0 if the attack is not at queries. */
  readonly query: number
  /** `latency` and `gap` in CPU time of the service's event loop, which other processes of the machine do not lengthen. */
  readonly latencyCpu: number
  readonly gapCpu: number
  /**
   * Before the attack, in milliseconds: the CPU time of a call of the other member, the longest of its sign-ins and the
   * longest of its queries.
   */
  readonly callCpu: number
  readonly signInAlone: number
  readonly queryAlone: number
  /** Mebibytes above those before the attack. */
  readonly memory: number
  readonly memoryBefore: number
}

export const residentMemory = async (pid: number): Promise<number> => {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1024
}

/** In milliseconds, of the main thread, which runs the event loop. The kernel counts in hundredths of a second. */
const loopCpu = async (pid: number): Promise<number> => {
  const [, fields = ""] = (await readFile(`/proc/${pid}/task/${pid}/stat`, "utf8")).split(") ")
  const [user, system] = fields.split(" ").slice(11)
  return 10 * (Number(user) + Number(system))
}

export const repeat = async <A>(signal: AbortSignal, pause: number, measure: () => Promise<A>) => {
  const results: Array<A> = []
  while (!signal.aborted) {
    results.push(await measure())
    await sleep(pause)
  }
  return results
}

interface Taken {
  readonly wall: number
  readonly cpu: number
}

export const timed = async (pid: number, request: () => Promise<unknown>): Promise<Taken> => {
  const startedAt = performance.now()
  const before = await loopCpu(pid)
  await request()
  return { wall: performance.now() - startedAt, cpu: await loopCpu(pid) - before }
}

const repeated = async (count: number, pid: number, request: () => Promise<unknown>) => {
  const results: Array<Taken> = []
  for (let done = 0; done < count; done++) results.push(await timed(pid, request))
  return results
}

const longest = (taken: ReadonlyArray<Taken>, time: keyof Taken): number =>
  Math.round(Math.max(0, ...taken.map((each) => each[time])))

/** Tries up to three times: immediately after a broken connection, later after a 503 with `Retry-After`. */
const send = async (url: string, init: RequestInit, triesLeft = 2): Promise<Response> => {
  const response = await fetch(url, init).catch((error: unknown) => {
    if (triesLeft === 0) throw error
  })
  if (response !== undefined && (response.status !== 503 || triesLeft === 0)) return response
  await response?.arrayBuffer()
  await sleep(1000 * Number(response?.headers.get("retry-after") ?? 0))
  return send(url, init, triesLeft - 1)
}

export const observe = async (
  { key, member, pid, url }: Victim,
  attack: string,
  attacker: string,
  share = 1
): Promise<Observation> => {
  let refused = 0
  const call = async () => {
    const response = await send(`${url}/v1/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, connection: "close" },
      body: JSON.stringify({ provider: "gsc", endpoint: "sites.list" })
    }).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.status !== 200) refused++
  }
  const signIn = async () => {
    const { address, email, password } = member
    const response = await send(`${url}/auth/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({ email, password })
    }).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.status !== 200) refused++
  }
  const isAtQueries = attacks[attack]?.isAtQueries === true
  const result = isAtQueries ? await keepReport({ key, url }) : ""
  const query = async () => {
    const response = await send(`${url}/v1/results/${result}/query`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, connection: "close" },
      body: JSON.stringify({ sql: "SELECT sum(clicks) FROM result" })
    }).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.status !== 200) refused++
  }
  const alone = await repeated(100, pid, call)
  const signInsAlone = await repeated(attacks[attack]?.isAtSignIn ? 3 : 0, pid, signIn)
  const queriesAlone = await repeated(isAtQueries ? 10 : 0, pid, query)
  const idle = await residentMemory(pid)
  const ended = new AbortController()
  const measuring = Promise.all([
    repeat(ended.signal, 50, () => timed(pid, call)),
    repeat(
      ended.signal,
      20,
      () => timed(pid, async () => (await send(`${url}/healthz`, { headers: { connection: "close" } })).arrayBuffer())
    ),
    repeat(ended.signal, 20, () => residentMemory(pid)),
    attacks[attack]?.isAtSignIn ? repeat(ended.signal, 500, () => timed(pid, signIn)) : [],
    isAtQueries ? repeat(ended.signal, 100, () => timed(pid, query)) : []
  ])
  // Fails before it is awaited, where the service ends during an attack.
  measuring.catch(() => {})
  const target: Target = { url, key: attacker }
  const program = new URL("Attacker.ts", import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [program, attack, JSON.stringify(target), `${share}`])
  await sleep(200)
  ended.abort()
  const [latencies, gaps, memory, signIns, queries] = await measuring
  const answers: Answers = JSON.parse(stdout)
  return {
    ...answers,
    refused,
    latency: longest(latencies, "wall"),
    signIn: longest(signIns, "wall"),
    query: longest(queries, "wall"),
    gap: longest(gaps, "wall"),
    latencyCpu: longest(latencies, "cpu"),
    gapCpu: longest(gaps, "cpu"),
    callCpu: alone.reduce((sum, { cpu }) => sum + cpu, 0) / alone.length,
    signInAlone: longest(signInsAlone, "wall"),
    queryAlone: longest(queriesAlone, "wall"),
    memory: Math.round(Math.max(...memory) - idle),
    memoryBefore: Math.round(idle)
  }
}
