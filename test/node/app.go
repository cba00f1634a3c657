// A complete node of Cosmos SDK 0.50 to 0.53 for the tests: the SDK's modules that hold supply and governance, put
// together with REST, gRPC, command line and export. SDK 0.45 and 0.46 bring an application of their own (simapp).
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	appv1alpha1 "cosmossdk.io/api/cosmos/app/v1alpha1"
	upgrademodulev1 "cosmossdk.io/api/cosmos/upgrade/module/v1"
	"cosmossdk.io/client/v2/autocli"
	"cosmossdk.io/core/appconfig"
	"cosmossdk.io/depinject"
	"cosmossdk.io/log"
	_ "cosmossdk.io/x/upgrade"
	upgradekeeper "cosmossdk.io/x/upgrade/keeper"
	upgradetypes "cosmossdk.io/x/upgrade/types"
	cmtcfg "github.com/cometbft/cometbft/config"
	dbm "github.com/cosmos/cosmos-db"
	"github.com/cosmos/cosmos-sdk/client"
	clientconfig "github.com/cosmos/cosmos-sdk/client/config"
	"github.com/cosmos/cosmos-sdk/client/keys"
	"github.com/cosmos/cosmos-sdk/codec"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	"github.com/cosmos/cosmos-sdk/runtime"
	"github.com/cosmos/cosmos-sdk/server"
	servercmd "github.com/cosmos/cosmos-sdk/server/cmd"
	serverconfig "github.com/cosmos/cosmos-sdk/server/config"
	servertypes "github.com/cosmos/cosmos-sdk/server/types"
	"github.com/cosmos/cosmos-sdk/testutil/configurator"
	"github.com/cosmos/cosmos-sdk/testutil/sims"
	"github.com/cosmos/cosmos-sdk/types/module"
	_ "github.com/cosmos/cosmos-sdk/x/auth"
	authcmd "github.com/cosmos/cosmos-sdk/x/auth/client/cli"
	_ "github.com/cosmos/cosmos-sdk/x/auth/tx/config"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	_ "github.com/cosmos/cosmos-sdk/x/auth/vesting"
	_ "github.com/cosmos/cosmos-sdk/x/bank"
	_ "github.com/cosmos/cosmos-sdk/x/consensus"
	_ "github.com/cosmos/cosmos-sdk/x/distribution"
	_ "github.com/cosmos/cosmos-sdk/x/genutil"
	genutilcli "github.com/cosmos/cosmos-sdk/x/genutil/client/cli"
	"github.com/cosmos/cosmos-sdk/x/gov"
	govclient "github.com/cosmos/cosmos-sdk/x/gov/client"
	govtypes "github.com/cosmos/cosmos-sdk/x/gov/types"
	_ "github.com/cosmos/cosmos-sdk/x/mint"
	_ "github.com/cosmos/cosmos-sdk/x/params"
	paramsclient "github.com/cosmos/cosmos-sdk/x/params/client"
	_ "github.com/cosmos/cosmos-sdk/x/slashing"
	_ "github.com/cosmos/cosmos-sdk/x/staking"
	"github.com/spf13/cobra"
)

var defaultHome = filepath.Join(os.TempDir(), "chain-inspector-node")

func modules() depinject.Config {
	upgrade := func(config *configurator.Config) {
		config.ModuleConfigs["upgrade"] = &appv1alpha1.ModuleConfig{
			Name: "upgrade", Config: appconfig.WrapAny(&upgrademodulev1.Module{}),
		}
	}
	return depinject.Configs(
		configurator.NewAppConfig(
			configurator.AuthModule(), configurator.BankModule(), configurator.StakingModule(), configurator.SlashingModule(),
			configurator.MintModule(), configurator.DistributionModule(), configurator.GovModule(), configurator.ParamsModule(),
			configurator.ConsensusModule(), configurator.GenutilModule(), configurator.TxModule(), upgrade,
			configurator.VestingModule(),
			configurator.WithCustomPreBlockersOrder("upgrade", "auth"),
		),
		// Lets the old content of parameter changes decode.
		depinject.Supply(map[string]module.AppModuleBasic{
			govtypes.ModuleName: gov.NewAppModuleBasic([]govclient.ProposalHandler{paramsclient.ProposalHandler}),
		}),
	)
}

func newApp(logger log.Logger, db dbm.DB, trace io.Writer, latest bool, options servertypes.AppOptions) (*runtime.App, codec.Codec, error) {
	var builder *runtime.AppBuilder
	var cdc codec.Codec
	var upgrades *upgradekeeper.Keeper
	config := depinject.Configs(modules(), depinject.Supply(logger, options))
	if err := depinject.Inject(config, &builder, &cdc, &upgrades); err != nil {
		return nil, nil, err
	}
	// What a new version of a binary brings: the handler of the upgrade that the chain stopped for.
	if name := os.Getenv("UPGRADE_HANDLER"); name != "" {
		upgrades.SetUpgradeHandler(name, func(_ context.Context, _ upgradetypes.Plan, from module.VersionMap) (module.VersionMap, error) {
			return from, nil
		})
	}
	app := builder.Build(db, trace, server.DefaultBaseappOptions(options)...)
	return app, cdc, app.Load(latest)
}

func start(logger log.Logger, db dbm.DB, trace io.Writer, options servertypes.AppOptions) servertypes.Application {
	app, _, err := newApp(logger, db, trace, true, options)
	if err != nil {
		panic(err)
	}
	return app
}

func export(
	logger log.Logger, db dbm.DB, trace io.Writer, height int64, _ bool, _ []string, options servertypes.AppOptions, _ []string,
) (servertypes.ExportedApp, error) {
	app, cdc, err := newApp(logger, db, trace, height == -1, options)
	if err == nil && height != -1 {
		err = app.LoadHeight(height)
	}
	if err != nil {
		return servertypes.ExportedApp{}, err
	}
	ctx := app.NewContext(true)
	state, err := app.ModuleManager.ExportGenesis(ctx, cdc)
	if err != nil {
		return servertypes.ExportedApp{}, err
	}
	text, err := json.Marshal(state)
	return servertypes.ExportedApp{
		AppState: text, Height: app.LastBlockHeight() + 1, ConsensusParams: app.GetConsensusParams(ctx),
	}, err
}

// ClientContext is exported because dependency injection takes no other function.
func ClientContext(cdc codec.Codec, registry codectypes.InterfaceRegistry, tx client.TxConfig, amino *codec.LegacyAmino) client.Context {
	return client.Context{}.WithCodec(cdc).WithInterfaceRegistry(registry).WithTxConfig(tx).WithLegacyAmino(amino).
		WithAccountRetriever(authtypes.AccountRetriever{}).WithInput(os.Stdin).WithHomeDir(defaultHome).WithViper("")
}

func command() (*cobra.Command, error) {
	var auto autocli.AppOptions
	var basics module.BasicManager
	var base client.Context
	options := sims.NewAppOptionsWithFlagHome(defaultHome)
	if err := depinject.Inject(
		depinject.Configs(modules(), depinject.Supply(log.NewNopLogger(), options), depinject.Provide(ClientContext)),
		&auto, &basics, &base,
	); err != nil {
		return nil, err
	}
	root := &cobra.Command{
		Use: "simd", SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(os.Stdout)
			ctx, err := client.ReadPersistentCommandFlags(base.WithCmdContext(cmd.Context()), cmd.Flags())
			if err == nil {
				ctx, err = clientconfig.ReadFromClientConfig(ctx)
			}
			if err == nil {
				err = client.SetCmdClientContextHandler(ctx, cmd)
			}
			if err != nil {
				return err
			}
			return server.InterceptConfigsPreRunHandler(
				cmd, serverconfig.DefaultConfigTemplate, serverconfig.DefaultConfig(), cmtcfg.DefaultConfig())
		},
	}
	query := &cobra.Command{Use: "query"}
	tx := &cobra.Command{Use: "tx"}
	tx.AddCommand(authcmd.GetSignCommand(), authcmd.GetEncodeCommand())
	root.AddCommand(genutilcli.InitCmd(basics, defaultHome), keys.Commands(), query, tx)
	server.AddCommands(root, defaultHome, start, export, func(*cobra.Command) {})
	return root, auto.EnhanceRootCommand(root)
}

func main() {
	root, err := command()
	if err == nil {
		err = servercmd.Execute(root, "", defaultHome)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
