import { readFileSync } from "node:fs"

export interface Instruction {
  readonly name: string
  readonly rest: string
}

const root = new URL("../../", import.meta.url)

const read = (path: string) => readFileSync(new URL(path, root), "utf8")

export const stages: ReadonlyArray<ReadonlyArray<Instruction>> = read("scripts/docker/Dockerfile")
  .replace(/^\s*#.*\n/gm, "")
  .replace(/\\\n/g, " ")
  .split(/^(?=FROM )/m)
  .map((stage) =>
    stage.split("\n").filter((line) => line.trim() !== "").map((line) => {
      const [name = "", ...rest] = line.trim().split(/\s+/)
      return { name, rest: rest.join(" ") }
    })
  )
  .filter((stage) => stage.length > 0)

export const ignore: ReadonlyArray<string> = read("scripts/docker/Dockerfile.dockerignore").trim().split("\n")

export const all = (instructions: ReadonlyArray<Instruction>, name: string): ReadonlyArray<string> =>
  instructions.flatMap((instruction) => instruction.name === name ? [instruction.rest] : [])

export const command = (rest: string | undefined = ""): ReadonlyArray<string> => JSON.parse(rest)

export const environment = (instructions: ReadonlyArray<Instruction>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    all(instructions, "ENV").flatMap((rest) => rest.split(" ")).map((pair) => {
      const at = pair.indexOf("=")
      return [pair.slice(0, at), pair.slice(at + 1)] as const
    })
  )

export const copied = (instructions: ReadonlyArray<Instruction>): ReadonlyArray<string> =>
  all(instructions, "COPY").flatMap((rest) => rest.startsWith("--") ? [] : rest.split(" ").slice(0, -1))
