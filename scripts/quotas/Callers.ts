import { Agent, request } from "undici"

export interface Call {
  /** Epoch milliseconds. */
  readonly at: number
  readonly millis: number
  readonly status: number
  /** Of a refusal by the service. */
  readonly limitedBy: string | undefined
}

export interface Caller {
  readonly key: string
  readonly calls: Array<Call>
}

export const makeCaller = (key: string): Caller => ({ key, calls: [] })

const agent = new Agent({ connections: 1000, headersTimeout: 90_000, bodyTimeout: 90_000 })

/** Sends a call to an instance. One that was killed answers with status 0. */
export const send = async (
  { calls, key }: Caller,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
): Promise<void> => {
  const at = Date.now()
  try {
    const { body: answer, statusCode } = await request(`${url}/v1/call`, {
      dispatcher: agent,
      method: "POST",
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify(body)
    })
    const text = await answer.text()
    const [, limitedBy] = /"limited_by":"(\w+)"/.exec(text) ?? []
    calls.push({ at, millis: Date.now() - at, status: statusCode, limitedBy })
  } catch {
    calls.push({ at, millis: Date.now() - at, status: 0, limitedBy: undefined })
  }
}

/** Runs `task` at random times until `end`, on average every `millis`, without waiting for it. */
export const atRandom = async (millis: number, end: number, task: () => Promise<void>): Promise<void> => {
  const running: Array<Promise<void>> = []
  for (;;) {
    const pause = -Math.log(1 - Math.random()) * millis
    if (Date.now() + pause >= end) break
    await new Promise((resolve) => setTimeout(resolve, pause))
    running.push(task())
  }
  await Promise.all(running)
}

/** Runs `task` again and again until `end`, with this pause between. */
export const repeatedly = async (millis: number, end: number, task: () => Promise<void>): Promise<void> => {
  while (Date.now() + millis < end) {
    await new Promise((resolve) => setTimeout(resolve, millis))
    await task()
  }
}
