import type { Provider } from "../../Providers/Provider.ts"
import { adviceFor, checkIds, type Project, type Subject } from "./Advice.ts"
import type { GoogleCheck } from "./Contract.ts"

type Status = GoogleCheck["status"]

interface Finding extends Subject {
  readonly status: Status
  readonly found: string | null
}

const firstToDo: ReadonlyArray<Status> = ["wrong", "todo", "unknown", "ok"]

const saysMost: ReadonlyArray<Status> = ["wrong", "todo", "ok", "unknown"]

/** What one round of checks has found. Of two findings about a check, the one that says more stays. */
export class Findings {
  readonly #found = new Map<string, Finding>()

  note(id: string, status: Status, found: string | null = null, subject: Subject = {}) {
    const known = this.#found.get(id)
    if (known !== undefined && saysMost.indexOf(known.status) <= saysMost.indexOf(status)) return
    this.#found.set(id, { status, found, ...subject })
  }

  checks(providers: ReadonlyArray<Provider>, project: Project): ReadonlyArray<GoogleCheck> {
    const checks = checkIds(providers).map((id): GoogleCheck => {
      const own = providers.find((provider) => id === `api_enabled.${provider.id}`)
      const { found, status, ...subject } = this.#found.get(id) ?? { status: "unknown", found: null }
      const advice = adviceFor(id, project, own === undefined ? subject : { ...subject, provider: own })
      return { id, status, found, ...advice, ...status === "ok" ? { fix: null } : {} }
    })
    return checks.toSorted((a, b) => firstToDo.indexOf(a.status) - firstToDo.indexOf(b.status))
  }
}
