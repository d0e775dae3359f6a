import type { CreatedConnectLink } from "../../../Domain/ConnectLink.ts"
import { Code } from "../../Parts/Code.tsx"
import { Dialog } from "../../Parts/Dialog.tsx"
import { Time } from "../../Parts/Time.tsx"

export const LinkUrl = ({ link, onClose }: { readonly link: CreatedConnectLink; readonly onClose: () => void }) => (
  <Dialog title="The connect link is ready" onClose={onClose}>
    <p>
      Send it to the account's owner. Who has it can connect an account, so send it to no one else. It is shown only
      this once, and ends <Time at={link.expires_at} />.
    </p>
    <Code text={link.url} what="the link" />
    <div className="dialog-actions">
      <button type="button" className="primary" onClick={onClose}>Done</button>
    </div>
  </Dialog>
)
