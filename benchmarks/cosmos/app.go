// Package cosmos runs the Cosmos SDK's own simulation of a chain, with its random source guided by rlcheck.
package cosmos

import (
	dbm "github.com/cosmos/cosmos-db"

	"cosmossdk.io/depinject"
	"cosmossdk.io/log/v2"

	"github.com/cosmos/cosmos-sdk/baseapp"
	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/codec"
	"github.com/cosmos/cosmos-sdk/runtime"
	servertypes "github.com/cosmos/cosmos-sdk/server/types"
	"github.com/cosmos/cosmos-sdk/testutil/configurator"
	simtestutil "github.com/cosmos/cosmos-sdk/testutil/sims"
	"github.com/cosmos/cosmos-sdk/testutil/simsx"
	"github.com/cosmos/cosmos-sdk/types/module"
	_ "github.com/cosmos/cosmos-sdk/x/auth" // Each module registers itself.
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	_ "github.com/cosmos/cosmos-sdk/x/auth/tx/config"
	_ "github.com/cosmos/cosmos-sdk/x/auth/vesting"
	_ "github.com/cosmos/cosmos-sdk/x/authz/module"
	_ "github.com/cosmos/cosmos-sdk/x/bank"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"
	_ "github.com/cosmos/cosmos-sdk/x/consensus"
	_ "github.com/cosmos/cosmos-sdk/x/distribution"
	_ "github.com/cosmos/cosmos-sdk/x/evidence"
	_ "github.com/cosmos/cosmos-sdk/x/feegrant/module"
	_ "github.com/cosmos/cosmos-sdk/x/gov"
	_ "github.com/cosmos/cosmos-sdk/x/mint"
	_ "github.com/cosmos/cosmos-sdk/x/protocolpool"
	_ "github.com/cosmos/cosmos-sdk/x/slashing"
	_ "github.com/cosmos/cosmos-sdk/x/staking"
)

// app is a chain of the SDK's modules, with what its simulation asks for.
type app struct {
	*runtime.App
	amino      *codec.LegacyAmino
	codec      codec.Codec
	txConfig   client.TxConfig
	accounts   authkeeper.AccountKeeper
	balances   bankkeeper.BaseKeeper
	simulation *module.SimulationManager
}

var config = configurator.NewAppConfig(
	configurator.AuthModule(),
	configurator.AuthzModule(),
	configurator.BankModule(),
	configurator.ConsensusModule(),
	configurator.DistributionModule(),
	configurator.EvidenceModule(),
	configurator.FeegrantModule(),
	configurator.GovModule(),
	configurator.MintModule(),
	configurator.ProtocolPoolModule(),
	configurator.SlashingModule(),
	configurator.StakingModule(),
	configurator.TxModule(),
	configurator.VestingModule(),
)

func newApp(
	logger log.Logger, db dbm.DB, loadLatest bool, _ servertypes.AppOptions, options ...func(*baseapp.BaseApp),
) *app {
	made := &app{}
	var builder *runtime.AppBuilder
	wanted := []any{&builder, &made.amino, &made.codec, &made.txConfig, &made.accounts, &made.balances}
	if err := depinject.Inject(depinject.Configs(config, depinject.Supply(logger)), wanted...); err != nil {
		panic(err)
	}
	made.App = builder.Build(db, options...)
	made.simulation = module.NewSimulationManagerFromAppModules(made.ModuleManager.Modules, nil)
	made.simulation.RegisterStoreDecoders()
	if err := made.Load(loadLatest); err != nil {
		panic(err)
	}
	return made
}

func (a *app) LegacyAmino() *codec.LegacyAmino              { return a.amino }
func (a *app) SimulationManager() *module.SimulationManager { return a.simulation }
func (a *app) GetBaseApp() *baseapp.BaseApp                 { return a.BaseApp }
func (a *app) TxConfig() client.TxConfig                    { return a.txConfig }

// ExportAppStateAndValidators is never called: the simulation exports nothing.
func (a *app) ExportAppStateAndValidators(bool, []string, []string) (servertypes.ExportedApp, error) {
	panic("this chain is not exported")
}

func stateOf(a *app) simsx.SimStateFactory {
	return simsx.SimStateFactory{
		Codec:         a.codec,
		AppStateFn:    simtestutil.AppStateFn(a.codec, a.simulation, a.DefaultGenesis()),
		BlockedAddr:   a.balances.GetBlockedAddresses(),
		AccountSource: a.accounts,
		BalanceSource: a.balances,
	}
}
