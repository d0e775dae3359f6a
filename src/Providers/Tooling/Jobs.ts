import { serveJobs } from "../../Capacity/ServeJobs.ts"

/** Responses of the provider, as JSON values. */
export type Answers = ReadonlyArray<unknown>

/** Functions of a provider that take long. They take and return JSON. */
export type JobTypes<Jobs extends Readonly<Record<string, (input: never, answers: Answers) => unknown>>> = {
  readonly [Name in keyof Jobs]: { readonly input: Parameters<Jobs[Name]>[0]; readonly output: ReturnType<Jobs[Name]> }
}

export type Jobs<Types extends AnyTypes<Types>> = {
  readonly [Name in keyof Types]: (input: Types[Name]["input"], answers: Answers) => Types[Name]["output"]
}

export type AnyTypes<Types> = {
  readonly [Name in keyof Types]: { readonly input: unknown; readonly output: unknown }
}

export interface Job<Name> {
  readonly name: Name
  /** JSON, which is faster to copy between processes than objects. */
  readonly input: string
  /** In UTF-8: as parts of `input` they would be in memory four times. */
  readonly answers: ReadonlyArray<Uint8Array<ArrayBuffer>>
}

/** Called by the module of a process. */
export const answerJobs = <Name>(run: (name: Name, input: string, answers: Answers) => unknown): void => {
  serveJobs(({ answers, input, name }: Job<Name>) => {
    const read = answers.map((answer): unknown => JSON.parse(new TextDecoder().decode(answer)))
    return JSON.stringify(run(name, input, read))
  })
}
