import type { Budget } from "../../Domain/Access/Budget.ts"
import { TextField } from "../Parts/Field.tsx"
import { featuresOff } from "../Service/ServedPage.ts"

const fields = [
  { name: "calls_per_day", label: "Calls a day, at most", help: "Those that reach a provider, until midnight UTC." },
  { name: "writes_per_day", label: "Writes a day, at most", help: undefined }
] as const

/** 0 if the service counts no budgets. */
export const budgetFieldCount = featuresOff.includes("quotas") ? 0 : fields.length

/** An empty field is no limit. */
export const BudgetFields = ({ error, onChange, value }: {
  readonly value: Budget
  readonly error?: string | undefined
  readonly onChange: (value: Budget) => void
}) => {
  const change = (name: typeof fields[number]["name"], text: string) => {
    const { [name]: _, ...rest } = value ?? {}
    const next = text === "" ? rest : { ...rest, [name]: Number(text) }
    onChange(Object.keys(next).length === 0 ? null : next)
  }
  return budgetFieldCount > 0 && (
    <>
      {fields.map(({ help, label, name }) => (
        <TextField
          key={name}
          label={label}
          help={help}
          error={name === "calls_per_day" ? error : undefined}
          type="number"
          min={0}
          max={1_000_000_000}
          step={1}
          placeholder="No limit"
          value={value?.[name]?.toString() ?? ""}
          onChange={(text) => change(name, text)}
        />
      ))}
    </>
  )
}
