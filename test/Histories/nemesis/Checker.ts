/** A call to one of the instances, and how it ended. */
export interface Call {
  /** Its place in the history. */
  readonly id: number
  readonly instance: 0 | 1
  /** Whose account the call is for. No name contains another one. */
  readonly member: string
  /** `check` reads after all faults are over. */
  readonly act: "read" | "write" | "check"
  /** The `Idempotency-Key` of a write. */
  readonly key: string
}

/**
 * `fail`: nothing was done. `unknown`: it may have been done, or there was no answer. `code` and `callId` are empty
 * without an error and without an answer.
 */
export interface End {
  readonly type: "ok" | "fail" | "unknown"
  readonly call: Call
  readonly code: string
  readonly callId: string
  readonly text: string
}

/** What happened, in order. A fault is a text for the reader. */
export type Event = { readonly type: "invoke"; readonly call: Call } | End | {
  readonly type: "fault"
  readonly text: string
}

/** A write that the provider was sent. */
export interface Write {
  readonly member: string
  readonly key: string
}

/** What is known after all faults are over. */
export interface Outcome {
  readonly history: ReadonlyArray<Event>
  readonly ledger: ReadonlyArray<Write>
  /** The calls of the log. */
  readonly logged: ReadonlySet<string>
  /** Writes of which an instance said that it could not log them. */
  readonly saidUnlogged: ReadonlySet<string>
}

/** Codes of answers that promise that nothing was written. */
const undone = new Set(["idempotency_in_progress", "idempotency_key_reused", "rate_limited"])

export const typeOf = (status: number, code: string): End["type"] =>
  status === 200 ? "ok" : undone.has(code) ? "fail" : "unknown"

/** The broken promises, empty if the service kept them all. */
export const broken = ({ history, ledger, logged, saidUnlogged }: Outcome): ReadonlyArray<string> => {
  const ends = history.filter(isEnd)
  const answers = ends.filter(({ callId }) => callId !== "")
  const members = [...new Set(ends.map(({ call }) => call.member))]
  return [
    ...unended(history),
    ...answers.filter(({ call, callId, code }) =>
      // The service answers `internal_error` where it cannot log a call, but answers a write that was sent.
      code !== "internal_error" && !logged.has(callId) && !(call.act === "write" && saidUnlogged.has(callId))
    ).map((end) => `answered and not in the log: ${show(end)}`),
    ...answers.filter(({ call, text }) => members.some((other) => other !== call.member && text.includes(other)))
      .map((end) => `has what another account has: ${show(end)}`),
    ...answers.filter(({ call, text, type }) => type === "ok" && !text.includes(call.member))
      .map((end) => `has not what its account has: ${show(end)}`),
    ...writesOf(ends, ledger),
    ...([0, 1] as const).filter((instance) =>
      !ends.some(({ call, type }) => call.act === "check" && call.instance === instance && type === "ok")
    ).map((instance) => `instance ${instance} does not answer after all faults are over`)
  ]
}

export const isEnd = (event: Event): event is End => event.type !== "invoke" && event.type !== "fault"

const unended = (history: ReadonlyArray<Event>) => {
  const open = new Set<number>()
  for (const event of history) {
    if (event.type === "invoke") open.add(event.call.id)
    else if (event.type !== "fault") open.delete(event.call.id)
  }
  return [...open].map((id) => `call ${id} has no end`)
}

const writesOf = (ends: ReadonlyArray<End>, ledger: ReadonlyArray<Write>) => {
  const sent = Map.groupBy(ledger, nameOf)
  const asked = Map.groupBy(ends.filter(({ call }) => call.act === "write"), ({ call }) => nameOf(call))
  return [...new Set([...sent.keys(), ...asked.keys()])].flatMap((name) => {
    const times = sent.get(name)?.length ?? 0
    const good = (asked.get(name) ?? []).filter(({ type }) => type === "ok")
    return [
      ...(times > 1 ? [`sent ${times} times: the write ${name}`] : []),
      ...(times === 0 && good.length > 0 ? [`answered and never sent: the write ${name}`] : []),
      ...(new Set(good.map(({ text }) => text)).size > 1 ? [`answered in several ways: the write ${name}`] : [])
    ]
  })
}

const nameOf = ({ key, member }: Write): string => `${key} of ${member}`

/** One line of a printed history. */
export const show = (event: Event): string => {
  if (event.type === "fault") return `-- ${event.text}`
  const { act, id, instance, key, member } = event.call
  const call = `${id} ${event.type} ${act}${act === "write" ? ` ${key}` : ""} of ${member} on ${instance}`
  return event.type === "invoke" ? call : `${call} ${event.callId} ${event.code || event.text}`
}
