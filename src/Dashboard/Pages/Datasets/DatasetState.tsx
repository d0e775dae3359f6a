import type { Dataset } from "../../../Domain/Dataset.ts"
import { Status } from "../../Parts/Status.tsx"

const words = {
  running: ["ok", "Running"],
  idle: ["ok", "Up to date"],
  failed: ["error", "Failed"],
  paused: ["off", "Paused"]
} as const

export const DatasetState = ({ status }: Pick<Dataset, "status">) => (
  <Status state={words[status][0]}>{words[status][1]}</Status>
)
