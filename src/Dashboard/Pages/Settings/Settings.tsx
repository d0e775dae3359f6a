import { servedTabs } from "../../Frame/ServedPages.ts"
import { Fact } from "../../Parts/Fact.tsx"
import { SelectFilter } from "../../Parts/Filters.tsx"
import { Page } from "../../Parts/Page.tsx"
import { Tabs } from "../../Parts/Tabs.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useSignInMethods } from "../../Service/Lists.ts"
import { PasswordForm } from "../../Session/PasswordForm.tsx"
import { useSession } from "../../Session/Session.tsx"
import { themeOf, useTheme } from "../../Session/Theme.ts"
import { Audit } from "./Audit.tsx"
import { OidcBinding } from "./OidcBinding.tsx"
import { OwnName } from "./OwnName.tsx"
import { Passkeys } from "./Passkeys.tsx"
import { Sessions } from "./Sessions.tsx"

const tabs = [{ id: "account", title: "Account" }, { id: "sessions", title: "Sessions" }] as const
const memberTabs = [...tabs, ...servedTabs.filter(({ forMembers = false }) => forMembers)]
const adminTabs = [...tabs, { id: "audit", title: "Audit" }, ...servedTabs]

export const Settings = () => {
  const { isAdmin } = useSession()
  const [tab, setTab] = useUrlState("tab")
  const shown = isAdmin ? adminTabs : memberTabs
  const selected = shown.find(({ id }) => id === tab)?.id ?? "account"
  return (
    <Page title="Settings" about="Your own account, and what was changed.">
      <Tabs label="Settings" tabs={shown} selected={selected} onChange={setTab}>
        {selected === "account" && <Account />}
        {selected === "sessions" && <Sessions />}
        {selected === "audit" && <Audit />}
        {servedTabs.map(({ id, page: Part }) => selected === id && <Part key={id} />)}
      </Tabs>
    </Page>
  )
}

const Account = () => {
  const { member, methods } = useSession()
  const [theme, setTheme] = useTheme()
  const possible = useSignInMethods()
  const hasPassword = methods.includes("password")
  return (
    <div className="stack-wide">
      <dl className="facts">
        <Fact name="E-mail">{member.email}</Fact>
        <Fact name="Name">
          <OwnName />
        </Fact>
        <Fact name="Appearance">
          <SelectFilter
            label="Appearance"
            all="As the system"
            options={[{ value: "light", title: "Light" }, { value: "dark", title: "Dark" }]}
            value={theme}
            onChange={(value) => setTheme(themeOf(value))}
          />
        </Fact>
      </dl>
      <section className="stack" aria-label="Password">
        <h2>Password</h2>
        <PasswordForm
          needsCurrent={hasPassword}
          action={hasPassword ? "Change the password" : "Set a password"}
          onDone={() => {}}
        />
      </section>
      {possible.data?.includes("oidc") && (
        <section className="stack" aria-label="Account of your organization">
          <h2>Account of your organization</h2>
          <OidcBinding isBound={methods.includes("oidc")} />
        </section>
      )}
      <section className="stack" aria-label="Passkeys">
        <h2>Passkeys</h2>
        <Passkeys canAdd={possible.data?.includes("passkey") ?? true} needsCurrent={hasPassword} />
      </section>
    </div>
  )
}
