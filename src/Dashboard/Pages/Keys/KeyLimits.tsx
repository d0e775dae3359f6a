import type { ApiKey } from "../../../Domain/Access/ApiKey.ts"
import type { ManageArea } from "../../../Domain/Request/ManagementScope.ts"
import { CheckList } from "../../Parts/CheckList.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { featuresOff } from "../../Service/ServedPage.ts"

const areas: ReadonlyArray<{ readonly value: ManageArea; readonly title: string }> = [
  { value: "connect_links", title: "Connect links" },
  { value: "connections", title: "Connections" },
  { value: "webhooks", title: "Webhooks" }
]

/** `day` is a local date, as in `2030-01-31`, or empty. */
export interface Limits {
  readonly day: string
  readonly manage: ReadonlyArray<string>
}

export const limitsOf = ({ expires_at, manage }: Pick<ApiKey, "expires_at" | "manage">): Limits => ({
  day: expires_at === null ? "" : new Intl.DateTimeFormat("sv").format(expires_at),
  manage
})

export const expiryOf = ({ day }: Limits): Date | null => day === "" ? null : new Date(`${day}T00:00`)

export const manageOf = (limits: Limits): ReadonlyArray<ManageArea> =>
  areas.map(({ value }) => value).filter((value) => limits.manage.includes(value))

export const KeyLimits = ({ error, isAdmin, limits, onChange }: {
  readonly isAdmin: boolean
  readonly limits: Limits
  readonly error: string | undefined
  readonly onChange: (limits: Limits) => void
}) => (
  <>
    <TextField
      label="Expires (optional)"
      help="From the beginning of this day the key is refused."
      error={error}
      type="date"
      value={limits.day}
      onChange={(day) => onChange({ ...limits, day })}
    />
    <CheckList
      label="It may also manage, for a server"
      options={areas.filter(({ value }) => !featuresOff.includes(value) && (isAdmin || value !== "webhooks"))}
      chosen={limits.manage}
      empty=""
      onChange={(manage) => onChange({ ...limits, manage })}
    />
  </>
)
