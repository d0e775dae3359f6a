import type { Rights } from "../../Domain/Access/Rights.ts"
import { useConnections } from "../Service/Lists.ts"
import { BudgetFields } from "./BudgetFields.tsx"
import { ResourceLimit } from "./ResourceLimit.tsx"

/** What a key or an agent may reach, and how often it may call. */
export const LimitFields = ({ errorOf, onChange, rights }: {
  readonly rights: Rights
  readonly errorOf: (field: "resources" | "budget") => string | undefined
  readonly onChange: (rights: Rights) => void
}) => {
  const connections = useConnections().data ?? []
  return (
    <>
      <ResourceLimit
        connections={connections}
        everything="All that its connections reach."
        error={errorOf("resources")}
        value={rights.resources}
        onChange={(resources) => onChange({ ...rights, resources })}
      />
      <BudgetFields
        error={errorOf("budget")}
        value={rights.budget}
        onChange={(budget) => onChange({ ...rights, budget })}
      />
    </>
  )
}
