import packageJson from "../package.json" with { type: "json" }

export const startFlags: ReadonlyArray<string> = packageJson.scripts.start.split(" ")
  .filter((word) => word.startsWith("--"))
