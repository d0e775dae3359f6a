import { Context, Effect, Layer, Redacted } from "effect"
import { argon2, randomBytes, timingSafeEqual } from "node:crypto"
import { InvalidInput } from "../../../Api/Errors.ts"
import { minPasswordLength } from "../../../Domain/SignIn/Password.ts"

/** 19 MiB and two passes, as in the OWASP password storage cheat sheet. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const hashBytes = 32
const saltBytes = 16

/** Callers take a turn first (`PasswordTurns`). */
export class Passwords extends Context.Service<Passwords, {
  readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, InvalidInput>
  /** Takes equally long without a hash. */
  readonly verify: (password: Redacted.Redacted, hash: string | undefined) => Effect.Effect<boolean>
}>()("openaccounts/Features/SignIn/Passwords/Passwords") {
  static readonly layer = Layer.succeed(
    Passwords,
    Passwords.of({
      hash: Effect.fn("Passwords.hash")(function*(password) {
        const issue = yield* findIssue(Redacted.value(password))
        if (issue !== undefined) {
          return yield* InvalidInput.at("password", issue)
        }
        const salt = randomBytes(saltBytes)
        return print({ ...parameters, salt, hash: yield* derive(password, { ...parameters, salt }) })
      }),

      verify: Effect.fn("Passwords.verify")(function*(password, stored) {
        const expected = parse(stored) ?? absent
        const derived = yield* derive(password, expected)
        return timingSafeEqual(derived, expected.hash) && expected !== absent
      })
    })
  )
}

const findIssue = Effect.fnUntraced(function*(password: string) {
  if ([...normalized(password)].length < minPasswordLength) return `Must have at least ${minPasswordLength} characters`
  const { commonPasswords } = yield* Effect.promise(() => import("./Generated/CommonPasswords.ts"))
  const isCommon = commonPasswords.has(password.toLowerCase()) || isRepetition.test(password)
  return isCommon ? "Is one of the passwords that attackers try first; choose another" : undefined
})

const isRepetition = /^(.{1,6})\1+$/su

const normalized = (password: string): string => password.normalize("NFKC")

interface Parameters {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Uint8Array
}

const derive = (password: Redacted.Redacted, { memory, parallelism, passes, salt }: Parameters) =>
  Effect.uninterruptible(Effect.callback<Uint8Array>((resume) => {
    const message = normalized(Redacted.value(password))
    argon2("argon2id", { message, nonce: salt, memory, passes, parallelism, tagLength: hashBytes }, (error, hash) => {
      resume(error === null ? Effect.succeed(hash) : Effect.die(error))
    })
  }))

interface Hash extends Parameters {
  readonly hash: Uint8Array
}

const absent: Hash = { ...parameters, salt: new Uint8Array(saltBytes), hash: new Uint8Array(hashBytes) }

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replace(/=+$/, "")

/** https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md */
const print = ({ hash, memory, parallelism, passes, salt }: Hash): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toText(salt)}$${toText(hash)}`

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const parse = (text: string | undefined): Hash | undefined => {
  const [, memory, passes, parallelism, salt = "", hash = ""] = form.exec(text ?? "") ?? []
  if (memory === undefined) return undefined
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64")
  }
}
