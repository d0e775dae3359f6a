import { Context, Effect, Layer } from "effect"
import { SMTPServer } from "smtp-server"

export interface ReceivedMail {
  readonly to: ReadonlyArray<string>
  readonly headers: string
  readonly text: string
  readonly html: string
}

const decoded = (body: string, headers: string): string => {
  if (/^content-transfer-encoding: base64/im.test(headers)) return Buffer.from(body, "base64").toString()
  if (!/^content-transfer-encoding: quoted-printable/im.test(headers)) return body
  const bytes = body.replaceAll("=\r\n", "").replace(
    /=([0-9A-F]{2})/g,
    (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))
  )
  return Buffer.from(bytes, "latin1").toString()
}

const read = (raw: string, to: ReadonlyArray<string>): ReceivedMail => {
  const end = raw.indexOf("\r\n\r\n")
  // Long headers are folded.
  const headers = raw.slice(0, end).replace(/\r\n[ \t]+/g, " ")
  const [, boundary = ""] = /boundary="([^"]+)"/.exec(headers) ?? []
  const [, text = "", html = ""] = raw.slice(end).split(`--${boundary}`).map((part) => {
    const [head = "", ...body] = part.split("\r\n\r\n")
    return decoded(body.join("\r\n\r\n"), head).replaceAll("\r\n", "\n")
  })
  return { to, headers, text, html }
}

/** A mail server on an ephemeral loopback port, with a login. It keeps what it receives. */
export class SmtpServer extends Context.Service<SmtpServer, {
  readonly url: string
  readonly received: ReadonlyArray<ReceivedMail>
  /** Addresses that it refuses, each with the status. */
  readonly refuse: (address: string, status: number) => void
}>()("openaccounts/test/SmtpServer") {
  static readonly layer = Layer.effect(
    SmtpServer,
    Effect.gen(function*() {
      const received: Array<ReceivedMail> = []
      const refused = new Map<string, number>()
      const server = new SMTPServer({
        disabledCommands: ["STARTTLS"],
        allowInsecureAuth: true,
        onAuth: ({ password, username }, _, callback) =>
          username === "oa" && password === "p@ss/word"
            ? callback(null, { user: "oa" })
            : callback(new Error("Invalid login")),
        onRcptTo: ({ address }, _, callback) => {
          const status = refused.get(address)
          callback(status === undefined ? null : Object.assign(new Error("Secret words"), { responseCode: status }))
        },
        onData: (stream, { envelope }, callback) => {
          const chunks: Array<Buffer> = []
          stream.on("data", (chunk: Buffer) => chunks.push(chunk))
          stream.on("end", () => {
            received.push(read(Buffer.concat(chunks).toString(), envelope.rcptTo.map(({ address }) => address)))
            callback()
          })
        }
      })
      const port = yield* Effect.acquireRelease(
        Effect.callback<number>((resume) => {
          const listener = server.listen(0, "127.0.0.1", () => {
            const address = listener.address()
            resume(Effect.succeed(typeof address === "object" ? address?.port ?? 0 : 0))
          })
        }),
        () => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
      )
      return SmtpServer.of({
        url: `smtp://oa:p%40ss%2Fword@127.0.0.1:${port}`,
        received,
        refuse: (address, status) => {
          refused.set(address, status)
        }
      })
    })
  )
}
