import packageJson from "../package.json" with { type: "json" }

/** The Node flags of `npm start`. */
export const startFlags: ReadonlyArray<string> = packageJson.scripts.start.split(" ")
  .filter((word) => word.startsWith("--"))
