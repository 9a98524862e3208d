package main

import (
	"fmt"
	"time"

	"github.com/hashicorp/vault/api"
)

// The API module of Vault with LifetimeWatcher.
func vaultAPI() {
	client, err := api.NewClient(api.DefaultConfig())
	check("NewClient", err)
	sys := client.Sys()
	_, err = sys.Health()
	check("Sys.Health", err)
	_, err = sys.SealStatus()
	check("Sys.SealStatus", err)
	_, err = sys.Leader()
	check("Sys.Leader", err)
	status, err := sys.HAStatus()
	check("Sys.HAStatus", err)
	if len(status.Nodes) != 1 {
		check("Sys.HAStatus nodes", fmt.Errorf("%d", len(status.Nodes)))
	}
	mounts, err := sys.ListMounts()
	check("Sys.ListMounts", err)
	if mounts["transit/"] == nil {
		check("Sys.ListMounts transit/", fmt.Errorf("not there"))
	}
	_, err = sys.GetMount("transit")
	check("Sys.GetMount", err)
	_, err = sys.MountConfig("transit")
	check("Sys.MountConfig", err)
	auths, err := sys.ListAuth()
	check("Sys.ListAuth", err)
	if auths["approle/"] == nil {
		check("Sys.ListAuth approle/", fmt.Errorf("not there"))
	}
	check("Sys.PutPolicy", sys.PutPolicy("foreign", `path "transit/*" { capabilities = ["create", "read", "update", "patch", "list"] }`))
	_, err = sys.CapabilitiesSelf("transit/keys/a")
	check("Sys.CapabilitiesSelf", err)

	tokens := client.Auth().Token()
	orphan, err := tokens.CreateOrphan(&api.TokenCreateRequest{Policies: []string{"foreign"}, TTL: "1h"})
	check("Token.CreateOrphan", err)
	if !orphan.Auth.Orphan {
		check("Token.CreateOrphan orphan", fmt.Errorf("it has a parent"))
	}
	_, err = tokens.Lookup(orphan.Auth.ClientToken)
	check("Token.Lookup", err)
	_, err = tokens.Renew(orphan.Auth.ClientToken, 600)
	check("Token.Renew", err)
	_, err = tokens.RenewAccessor(orphan.Auth.Accessor, 600)
	check("Token.RenewAccessor", err)
	// The first request of Terraform's provider.
	_, err = tokens.Create(&api.TokenCreateRequest{
		DisplayName: "terraform", TTL: "1200s", ExplicitMaxTTL: "1200s", Renewable: new(bool),
	})
	check("Token.Create as Terraform", err)

	// A login by a role, kept alive.
	logical := client.Logical()
	_, err = logical.Write("auth/approle/role/foreign", map[string]any{"token_policies": []string{"foreign"}, "token_ttl": "4s"})
	check("approle: role", err)
	role, err := logical.Read("auth/approle/role/foreign/role-id")
	check("approle: role-id", err)
	secret, err := logical.Write("auth/approle/role/foreign/secret-id", nil)
	check("approle: secret-id", err)
	login, err := logical.Write("auth/approle/login", map[string]any{
		"role_id": role.Data["role_id"], "secret_id": secret.Data["secret_id"],
	})
	check("approle: login", err)
	other, err := client.Clone()
	check("Clone", err)
	other.SetToken(login.Auth.ClientToken)
	watcher, err := other.NewLifetimeWatcher(&api.LifetimeWatcherInput{Secret: login})
	check("NewLifetimeWatcher", err)
	go watcher.Start()
	for n := 0; n < 2; n++ {
		select {
		case renewed := <-watcher.RenewCh():
			if renewed.Secret.Auth.ClientToken != login.Auth.ClientToken {
				err = fmt.Errorf("another token")
			}
		case err = <-watcher.DoneCh():
			err = fmt.Errorf("it ended: %v", err)
		case <-time.After(10 * time.Second):
			err = fmt.Errorf("no renewal")
		}
		check("LifetimeWatcher renews", err)
	}
	watcher.Stop()
}
