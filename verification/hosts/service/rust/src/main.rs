//! The crate vaultrs, unmodified: transit, tokens, roles.

use std::error::Error;

use vaultrs::api::transit::OutputFormat;
use vaultrs::api::transit::requests::{DataKeyType, RandomBytesSource};
use vaultrs::client::{VaultClient, VaultClientSettingsBuilder};
use vaultrs::transit::{data, generate, key};
use vaultrs::{auth::approle, sys, token};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let of = |name: &str| std::env::var(name);
    let settings = VaultClientSettingsBuilder::default().address(of("VAULT_ADDR")?).token(of("VAULT_TOKEN")?).build()?;
    let client = VaultClient::new(settings)?;
    let (mount, name, text) = ("transit", "vaultrs", "YSB0ZXh0");
    key::create(&client, mount, name, None).await?;
    for n in 1..3 {
        let sealed = data::encrypt(&client, mount, name, text, None).await?.ciphertext;
        assert_eq!(data::decrypt(&client, mount, name, &sealed, None).await?.plaintext, text);
        key::rotate(&client, mount, name).await?;
        let again = data::rewrap(&client, mount, name, &sealed, None).await?.ciphertext;
        assert!(again.starts_with(&format!("vault:v{}:", n + 1)));
        let changed = format!("{}AAA=", &sealed[..sealed.len() - 4]);
        assert!(data::decrypt(&client, mount, name, &changed, None).await.is_err());
    }
    assert!(key::list(&client, mount).await?.keys.contains(&name.to_string()));
    assert!(generate::data_key(&client, mount, name, DataKeyType::Plaintext, None).await?.plaintext.is_some());
    for source in [RandomBytesSource::Platform, RandomBytesSource::All] {
        assert_eq!(generate::random_bytes(&client, mount, OutputFormat::Hex, source, None).await?.random_bytes.len(), 64);
    }
    assert!(generate::hmac(&client, mount, name, text, None).await?.hmac.starts_with("vault:v3:"));
    assert!(!key::backup(&client, mount, name).await?.backup.is_empty());
    assert!(sys::mount::list(&client).await?.contains_key("transit/"));
    assert!(sys::auth::list(&client).await?.contains_key("approle/"));
    assert!(sys::health(&client).await?.initialized);

    let info = token::new(&client, None).await?;
    let seen = token::lookup(&client, &info.client_token).await?;
    assert!(seen.expire_time.is_none() && seen.issue_time.is_some_and(|time| time.ends_with('Z')));
    approle::role::set(&client, "approle", name, None).await?;
    assert_eq!(approle::role::read(&client, "approle", name).await?.token_type, "default");
    let id = approle::role::read_id(&client, "approle", name).await?.role_id;
    let secret = approle::role::secret::generate(&client, "approle", name, None).await?.secret_id;
    let seen = approle::role::secret::read(&client, "approle", name, &secret).await?;
    assert!(seen.creation_time.ends_with('Z'));
    let login = approle::login(&client, "approle", &id, &secret).await?;
    assert_eq!(login.metadata.and_then(|mut all| all.remove("role_name")).as_deref(), Some(name));
    assert!(approle::login(&client, "approle", &id, "wrong").await.is_err());
    // Its list of key types is closed.
    println!("key::read: {}", if key::read(&client, mount, name).await.is_ok() { "right" } else { "refused" });
    Ok(())
}
